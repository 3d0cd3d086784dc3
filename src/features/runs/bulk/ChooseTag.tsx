import { Button, Group, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { tagProblem, toTagName } from '#contract/labels.ts'
import { tagListOptions } from '#src/api/labels.ts'
import classes from './bulk.module.css'

const shownTags = 12

/** The tag for the selected runs: a known one or a new one. */
export function ChooseTag({ onChoose }: { onChoose: (tag: string) => void }) {
  const { data } = useQuery(tagListOptions())
  const [text, setText] = useState('')
  const name = toTagName(text)
  const known = data?.tags.slice(0, shownTags).map((tag) => tag.name) ?? []
  const problem = name === '' ? null : tagProblem(name)
  const isReady = name !== '' && problem === null
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isReady) onChoose(name)
      }}
    >
      <TextInput
        label="Tag"
        data-autofocus
        autoComplete="off"
        value={text}
        error={problem}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {known.length > 0 && (
        <fieldset className={classes.known}>
          <legend>Tags in use</legend>
          {known.map((tag) => (
            <Button key={tag} size="compact-sm" variant="default" onClick={() => setText(tag)}>
              {tag}
            </Button>
          ))}
        </fieldset>
      )}
      <Group justify="flex-end" mt="sm">
        <Button
          type="submit"
          data-disabled={!isReady || undefined}
          aria-disabled={!isReady}
          title={isReady ? undefined : 'Choose a tag first'}
        >
          Continue
        </Button>
      </Group>
    </form>
  )
}
