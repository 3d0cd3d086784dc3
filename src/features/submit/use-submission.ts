import { useState } from 'react'

import { type Selectors, noSelectors } from './selected-variants.ts'

type Choice = { selectors: Selectors; repeat: number; flags: string[]; mock: boolean }

/** What the URL fills in beforehand. */
export type Prefill = Choice & { version: string }

/** What the form holds besides the version, starting from what the URL asked for. */
export function useSubmission({ selectors, repeat, flags, mock }: Choice) {
  const [choice, setChoice] = useState<Choice>({
    selectors,
    repeat,
    flags,
    mock,
  })
  const change = (part: Partial<Choice>) => setChoice((before) => ({ ...before, ...part }))
  return {
    ...choice,
    change,
    select: (selectors: Selectors) => change({ selectors }),
    clear: () => change({ selectors: noSelectors }),
  }
}
