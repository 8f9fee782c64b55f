/** What its owner calls a chat, whose row `chat` is. Everything that is said to the owner says this and not the key. */
export const publicId = (chat: string): string => `coalesce(${chat}.alias, ${chat}.id)`
