import { named } from '@/lib/context'

/** The sentence of each thing that stands in the way of a proposal, by its code. */
export const proposalRefusals = {
  branch_archived:
    'The branch is archived. Bring it back first, or propose another one. Nothing was changed.',
  nothing_to_propose: 'The branch has nothing that the original lacks. Nothing was changed.',
  nothing_in_common:
    'The last 500 messages of the branch hold none of the original, so there is nothing to join it to. Nothing was changed.',
  link_over:
    'The link that this chat was copied from is no longer in force, so nothing can be proposed to its owner. Nothing was changed.',
  only_reads:
    'You may read the original, but not propose to it. Ask its owner, who can change that. Nothing was changed.',
  too_many_proposals:
    'You have as many open proposals as are allowed: 20 to one chat, 100 to all. Wait until one is taken or declined. Nothing was changed.',
  too_many_proposals_there:
    'The original has 100 open proposals, which is the most. Try again when its owner has looked at some. Nothing was changed.',
  original_is_full: 'The owner of the original has no room for it. Nothing was changed.',
  proposal_over: 'The proposal was taken or declined already, or is being taken. Nothing was changed.',
  proposal_moved:
    'The proposal was updated since you have looked at it. Look again, then take it. Nothing was changed.',
  branch_left:
    'The branch was rewound above the message from which it was proposed. Make a new proposal of it. Nothing was changed.',
  too_many_comments: 'The proposal has 200 comments, which is the most.',
}

/** A proposal cannot be made, changed or taken as it stands; nothing was written. */
export class ProposalRefusedError extends named('ProposalRefusedError') {
  constructor(readonly code: keyof typeof proposalRefusals) {
    super(proposalRefusals[code])
  }
}
