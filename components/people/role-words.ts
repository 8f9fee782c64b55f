import type { MemberRole } from '@/lib/events'

/** The roles as a person chooses among them. */
export const roleWords: Record<MemberRole, { label: string; does: string }> = {
  reads: {
    label: 'Reads',
    does: 'Reads every branch as it is written, with what the model thought, and can go on in a copy.',
  },
  proposes: { label: 'Proposes', does: 'Reads, and can propose branches of the copy to you.' },
}
