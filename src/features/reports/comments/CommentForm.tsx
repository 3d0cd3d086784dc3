import { Button, Combobox, Textarea, useCombobox } from '@mantine/core'
import { useState } from 'react'
import type { z } from 'zod'

import { useInfiniteList } from '#src/api/infinite-list.ts'
import { memberListOptions } from '#src/api/members.ts'
import { matchRanks, rankMatch, sortByMatch } from '#src/editor/match-words.ts'
import { browserDraft } from '#src/shared/drafts/browser-draft.ts'
import { limits } from '#contract/wire/limit.ts'
import { useForm } from '#src/forms/use-form.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { CommentDraft, openDraft } from './comment-draft.ts'
import classes from './comments.module.css'
import { useComments } from './CommentsContext.ts'
import { typedName, withMentions, withoutMentions, writtenMention } from './mention-names.ts'

type Body = { text: string }

type Props = {
  /** What it is about, so that an unsent text is there again when the form opens again. */
  about: string
  label: string
  verb: string
  /** The initial markdown. */
  text?: string
  schema: z.ZodType<unknown, Body>
  send: (body: Body) => Promise<unknown>
  /** After sending or canceling. */
  onDone: () => void
}

/** How many names are offered at once. */
const most = 6

/** A comment's text. After an @ it offers the members of the organization; Ctrl/⌘ Enter sends. */
export function CommentForm({ about, label, verb, text = '', schema, send, onDone }: Props) {
  const people = useInfiniteList(memberListOptions()).rows ?? []
  const [cursor, setCursor] = useState(0)
  const { person } = useComments()
  const [draft] = useState(() => browserDraft(CommentDraft, { about: `comment ${about}`, actorId: person?.id ?? '' }))
  const [base] = useState(text)
  const [opened] = useState(() => openDraft(draft.read(), { base: text, text: withoutMentions(text, people) }))
  const [older, setOlder] = useState(opened.older)
  const end = () => {
    draft.remove()
    onDone()
  }
  const form = useForm({
    initialValues: { text: opened.text },
    schema,
    toBody: (values) => ({ text: withMentions(values.text, people) }),
    send,
    onSent: end,
    onValuesChange: (values) => (values.text.trim() === '' ? draft.remove() : draft.write({ ...values, base })),
  })
  const combobox = useCombobox()
  const typed = typedName(form.values.text, cursor)
  const offered =
    typed === undefined
      ? []
      : sortByMatch(people, typed, ({ name }) => name)
          .filter(({ name }) => rankMatch(name, typed) !== matchRanks.none)
          .filter((person) => writtenMention(person, people) !== `@${typed}`)
          .slice(0, most)
  const isOffering = combobox.dropdownOpened && offered.length > 0
  const choose = (personId: string) => {
    const person = people.find(({ id }) => id === personId)
    if (!person || typed === undefined) return
    const before = form.values.text.slice(0, cursor - `@${typed}`.length)
    const after = form.values.text.slice(cursor)
    form.setFieldValue('text', `${before}${writtenMention(person, people)} ${after}`)
    combobox.closeDropdown()
    combobox.focusTarget()
  }
  const input = form.getInputProps('text')
  return (
    <form className={classes.form} onSubmit={form.submit} noValidate>
      {text !== base && (
        <Notice title="This comment was changed elsewhere.">
          Saving replaces the newer text. Cancel to see it first.
        </Notice>
      )}
      {older !== undefined && (
        <Notice title="You have an unsent draft of an older version.">
          <pre className={classes.older}>{older}</pre>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              form.setFieldValue('text', older)
              setOlder(undefined)
            }}
          >
            Use the draft
          </Button>
        </Notice>
      )}
      <Combobox store={combobox} onOptionSubmit={choose} position="bottom-start" withinPortal={false}>
        <Combobox.Target targetType="button" withKeyboardNavigation={isOffering} withExpandedAttribute={false}>
          <Textarea
            ref={focus}
            aria-label={label}
            autosize
            minRows={2}
            maxRows={12}
            maxLength={limits.comment}
            placeholder="Write in Markdown. Type @ to mention someone."
            {...input}
            onChange={(event) => {
              input.onChange(event)
              setCursor(event.currentTarget.selectionStart)
              combobox.openDropdown()
              combobox.selectFirstOption()
            }}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit()
              if (event.key === 'Escape' && isOffering) combobox.closeDropdown()
            }}
          />
        </Combobox.Target>
        <Combobox.Dropdown hidden={!isOffering}>
          <Combobox.Options aria-label="People">
            {offered.map(({ id, name, email }) => (
              <Combobox.Option key={id} value={id}>
                {name} <span className={classes.email}>{email}</span>
              </Combobox.Option>
            ))}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      {form.failure && <ErrorNotice title="The comment was not saved" error={form.failure} />}
      <div className={classes.actions}>
        <Button size="compact-sm" type="submit" loading={form.isPending}>
          {verb}
        </Button>
        <Button size="compact-sm" variant="subtle" onClick={end}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

/** Focuses the field, because a click opened the form. */
const focus = (area: HTMLTextAreaElement | null) => area?.focus()
