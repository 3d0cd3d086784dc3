import { Checkbox, TextInput } from '@mantine/core'
import { useState } from 'react'

import classes from './MultiFilter.module.css'
import mutedText from './muted-text.module.css'

export type FilterChoice = {
  label: string
  /** The options. A selected value that is not an option stays listed, so that every active filter is visible. */
  options: readonly string[]
  value: readonly string[]
  onChange: (value: string[]) => void
  /** The label of a value that is an id. */
  labelOf?: (value: string) => string
}

const searchedFrom = 8

const plainLabel = (value: string) => value

/** The options of a filter as checkboxes, with a search where there are many. */
export function FilterChoices({ label, options, value, onChange, labelOf = plainLabel }: FilterChoice) {
  const [search, setSearch] = useState('')
  const all = [...new Set([...options, ...value])]
  const shown = all.filter((option) => labelOf(option).toLowerCase().includes(search.trim().toLowerCase()))
  return (
    <>
      {all.length >= searchedFrom && (
        <TextInput
          size="xs"
          aria-label={`Search ${label}`}
          placeholder="Search"
          value={search}
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
      )}
      <Checkbox.Group aria-label={label} value={[...value]} onChange={onChange}>
        <div className={classes.options}>
          {shown.map((option) => (
            <Checkbox key={option} size="xs" value={option} label={labelOf(option)} />
          ))}
          {shown.length === 0 && <span className={mutedText.small}>No options</span>}
        </div>
      </Checkbox.Group>
    </>
  )
}
