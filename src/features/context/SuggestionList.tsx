import type { ShownSuggestion } from '#src/api/context-suggestions.ts'
import { LoadMore, type More } from '#src/ui/LoadMore.tsx'
import classes from './suggestions.module.css'
import { SuggestionItem } from './SuggestionItem.tsx'

type Props = {
  label: string
  suggestions: readonly ShownSuggestion[]
  more?: More | null
  /** Whether the reader may accept and reject. */
  canDecide: boolean
}

export const SuggestionList = ({ label, suggestions, more, canDecide }: Props) => (
  <>
    <ul aria-label={label} className={classes.list}>
      {suggestions.map((suggestion) => (
        <SuggestionItem key={suggestion.suggestionId} suggestion={suggestion} canDecide={canDecide} />
      ))}
    </ul>
    <LoadMore more={more} />
  </>
)
