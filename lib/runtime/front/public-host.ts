/** The host a page can be at: a name, an IPv4 address, or an IPv6 address in brackets; with a port or without. */
const form = /^(?:[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_.-])?|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i

/**
 * Whether a `Host` header names a host. Names as Docker gives them (`ramify_app:3000`), trailing dots, capitals and
 * addresses do; blanks, user names, paths, ports above 65535 and empty parts do not.
 */
export function isHost(value: string): boolean {
  return value.length <= 255 && form.test(value) && !value.includes('..') && URL.canParse(`http://${value}/`)
}
