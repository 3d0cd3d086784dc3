import type { Scope } from '#statistics/scope.ts'

/** What an interval of a mean means, where it is drawn. */
export const intervalWords: Record<Scope, string> = {
  'prompts like these':
    'Whiskers: 95 % confidence interval (CI) for prompts like these. It treats the prompts as a random sample, and the runs of a prompt, or of the prompts of one task, as one cluster.',
  'these prompts':
    'Whiskers: 95 % confidence interval (CI) for these prompts. Only chance between runs of the same prompt is counted.',
}
