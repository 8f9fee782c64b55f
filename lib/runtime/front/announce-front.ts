const shared = globalThis as typeof globalThis & { __ramifyFront?: true }

/** Says that every request of this process passes the front, which sets `x-ramify-address` itself. */
export function announceFront(): void {
  shared.__ramifyFront = true
}

/** Whether the front stands before this process's routes; else that header is a client's own word. */
export const hasFront = (): boolean => shared.__ramifyFront === true
