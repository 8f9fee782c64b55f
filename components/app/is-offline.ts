/**
 * Whether the browser has no network and needs it: a server on this machine is reached without one. `false` does not
 * mean that the server answers.
 */
export function isOffline(): boolean {
  return navigator.onLine === false && !/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(location.hostname)
}
