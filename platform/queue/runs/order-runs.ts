import { createHash } from 'node:crypto'

type Wanted<Variant> = { variant: Variant; repeats: number }

/**
 * The runs of a request in the order in which they start: prompt after prompt, in a random order that the request decides,
 * and of each prompt the groups in turn. So the prompts that have ended are a fair sample at any time.
 */
export function orderRuns<Variant extends { prompt: string | null }>(
  wanted: readonly Wanted<Variant>[],
  requestId: string,
): { variant: Variant; repeat: number }[] {
  const drawn = [...Map.groupBy(wanted, ({ variant }) => variant.prompt)]
    .map(([prompt, ofPrompt]) => ({ ofPrompt, place: shuffleKey(requestId, prompt) }))
    .toSorted((a, b) => (a.place < b.place ? -1 : 1))
  return drawn.flatMap(({ ofPrompt }) => inTurn(ofPrompt))
}

const shuffleKey = (requestId: string, prompt: string | null) =>
  createHash('sha256')
    .update(JSON.stringify([requestId, prompt]))
    .digest('hex')

/** The first run of every variant, then the second. */
const inTurn = <Variant>(wanted: readonly Wanted<Variant>[]) =>
  Array.from({ length: Math.max(...wanted.map(({ repeats }) => repeats)) }, (_, index) => index + 1).flatMap((repeat) =>
    wanted.filter(({ repeats }) => repeat <= repeats).map(({ variant }) => ({ variant, repeat })),
  )
