/** Role of a person in a chat of someone else; each role includes those before it. */
export const memberRoles = ['reads', 'proposes'] as const

export type MemberRole = (typeof memberRoles)[number]

/** True where a role is enough for what another one may do. */
export const mayAs = (role: MemberRole, needed: MemberRole): boolean =>
  memberRoles.indexOf(role) >= memberRoles.indexOf(needed)
