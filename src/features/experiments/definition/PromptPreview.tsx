import { Button } from '@mantine/core'
import { useState } from 'react'

import { nameOfAxes } from '#src/format/ids.ts'
import { counted } from '#src/format/numbers.ts'
import { ScrollRegion } from '#src/ui/ScrollRegion.tsx'
import lists from '#src/ui/lists.module.css'
import mutedText from '#src/ui/muted-text.module.css'
import type { DescribedPrompt } from './describe-prompts.ts'
import classes from './PromptPreview.module.css'

const shownAtFirst = 8
const maxNamed = 6

/** The first line and the length of each prompt, its own task, its variants by name, and the whole text on demand. */
export function PromptPreview({ prompts }: { prompts: readonly DescribedPrompt[] }) {
  const [isFolded, setFolded] = useState(true)
  const shown = isFolded ? prompts.slice(0, shownAtFirst) : prompts
  return (
    <>
      <ul className={lists.plain} aria-label="Prompts">
        {shown.map(({ id, text, firstLine, size, own, variantIds }) => (
          <li key={id} className={classes.prompt}>
            <code>{id}</code>
            {size && <span className={mutedText.smallNote}> · {size}</span>}
            <p className={classes.firstLine}>{firstLine}</p>
            {size && (
              <details>
                <summary className={mutedText.smallNote}>Whole text of {id}</summary>
                <ScrollRegion label={`Text of ${id}, scrollable`} className={classes.text}>
                  <pre>{text}</pre>
                </ScrollRegion>
              </details>
            )}
            {own && <p className={mutedText.smallNote}>Own task: {own}</p>}
            <p className={mutedText.smallNote}>{variantsInWords(variantIds)}</p>
          </li>
        ))}
      </ul>
      {shown.length < prompts.length && (
        <Button variant="subtle" size="compact-xs" onClick={() => setFolded(false)}>
          Show all {prompts.length}
        </Button>
      )}
    </>
  )
}

function variantsInWords(ids: readonly string[]) {
  if (ids.length === 0) return 'No variants, because all are excluded'
  const rest = ids.length - maxNamed
  return `${counted(ids.length, 'variant')}: ${ids.slice(0, maxNamed).map(nameOfAxes).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}
