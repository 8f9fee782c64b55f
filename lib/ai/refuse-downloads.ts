import { explain, ReplyProblem } from './explain-error'

/** The AI SDK would fetch links that the model cannot, from inside our network. */
export async function refuseDownloads(
  links: { url: URL; isUrlSupportedByModel: boolean }[],
): Promise<null[]> {
  if (links.every((link) => link.isUrlSupportedByModel)) return links.map(() => null)
  throw new ReplyProblem(
    explain(
      'refused',
      'This model cannot open a link that is attached to the conversation.',
      'Attach the file itself, or choose a model that reads links.',
    ),
  )
}
