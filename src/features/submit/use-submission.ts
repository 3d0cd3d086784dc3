import { useState } from 'react'

import { type Selectors, noSelectors } from './selected-variants.ts'

type Choice = { selectors: Selectors; repeat: number; flags: string[]; mock: boolean }

/** The values that the URL fills in. */
export type Prefill = Choice & { version: string }

/** The form's state except the version, starting with the values from the URL. */
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
