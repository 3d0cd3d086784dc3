import { Skeleton } from '@mantine/core'

import type { MarkdownInsert } from '#src/editor/insert-item.ts'
import { reveal } from '#src/ui/reveal.ts'
import classes from './InsertPicker.module.css'

type Props = {
  items: readonly MarkdownInsert[]
  /** The place of the chosen item. */
  chosen: number
  isLoading: boolean
  onChoose: (place: number) => void
}

/** What the search found. The arrow keys in the search field and a click choose one. */
export function PickerResults({ items, chosen, isLoading, onChoose }: Props) {
  if (items.length === 0)
    return isLoading ? <Skeleton height={120} /> : <p className={classes.nothing}>Nothing found. Try other words.</p>
  return (
    <ul className={classes.results} aria-label="Results">
      {items.map(({ label, detail, text }, place) => (
        <li key={text}>
          <button
            ref={place === chosen ? reveal : undefined}
            type="button"
            className={classes.result}
            aria-pressed={place === chosen}
            onClick={() => onChoose(place)}
          >
            {label}
            <span className={classes.detail}>{detail}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
