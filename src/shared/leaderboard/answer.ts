/** One short answer below the verdict: `Lead: +8.3 points (over droid · claude-4-sonnet)`. */
export type Fact = { label: string; value: string; detail: string }

/** Who is best, by how much, whether that is more than chance, and what it costs. */
export type Answer = {
  verdict: string
  facts: Fact[]
  /** Why the verdict may seem to contradict what the intervals show; null if it doesn't. */
  note: string | null
}

/** The answer on one line, for a clip or a chat. */
export const answerText = ({ verdict, facts }: Answer) =>
  [verdict, ...facts.map(({ label, value, detail }) => `${label}: ${value}${detail && ` (${detail})`}.`)].join(' ')

/** An answer without facts. */
export const onlyWords = (verdict: string): Answer => ({ verdict, facts: [], note: null })
