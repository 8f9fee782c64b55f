/** Addresses that programs talk to: whatever goes wrong there is answered with a problem document. */
const api = /^\/(?:api|commands|threads|v1|mcp|health)(?:[/?#]|$)/

/** Whether a path, or a request target that begins with one, belongs to the API and not to the pages. */
export const isApiPath = (path: string): boolean => api.test(path)
