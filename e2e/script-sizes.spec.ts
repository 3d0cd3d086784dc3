import { expect, test } from '@playwright/test'

import { readScriptSizes } from '#tools/script-sizes.mjs'

/** In kB. Raise one only with a reason; docs/decisions/096-scripts-of-a-page.md, 137, 157, 161, 184 and 185 say what they contain. */
const limits = { firstPage: 203, experiment: 399, everything: 1984 }

test('the scripts of a page do not grow past their limits', () => {
  const sizes = readScriptSizes()
  for (const [name, limit] of Object.entries(limits))
    expect.soft(sizes[name as keyof typeof limits], name).toBeLessThanOrEqual(limit)
})
