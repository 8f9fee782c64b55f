/**
 * The browser says that it has no network, and that matters: a server on this very machine is reached without one. Not
 * being offline says nothing about whether the server answers.
 */
export function isOffline(): boolean {
  return navigator.onLine === false && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(location.hostname)
}
