import { z } from 'zod'

import { endpoint } from './endpoint.ts'
import { Actor } from './identity.ts'
import { limits } from '#contract/wire/limit.ts'
import { booleanParam, maxPosition, Timestamp } from '#contract/wire/query-values.ts'

/** A tag names a property that runs share, a note is free text, and a dispute claims another outcome than the measured one. */
export const LabelKind = z.enum(['tag', 'note', 'dispute'])
export type LabelKind = z.infer<typeof LabelKind>

export const ClaimedOutcome = z.enum(['solved', 'unsolved'])
export type ClaimedOutcome = z.infer<typeof ClaimedOutcome>

/** One spelling per tag, so that "Wrong  API" and "wrong api" are the same. */
export const toTagName = (text: string) => text.normalize('NFC').trim().replaceAll(/\s+/g, ' ').toLowerCase()

/** Commas separate the values of filters, `~` the axes of a group, and `+` the tags of a group. */
const tagPattern = /^[\p{L}\p{N}][\p{L}\p{M}\p{N} _.:/#()'-]*$/u

export const tagProblem = (name: string) =>
  name.length > limits.tagName
    ? `A tag has at most ${limits.tagName} characters`
    : tagPattern.test(name)
      ? null
      : "A tag starts with a letter or a digit, and contains only letters, digits, spaces and . _ : / # ( ) ' -"

const controls = /[^\P{Cc}\n\t]/u

const LabelText = z
  .string()
  .trim()
  .min(1, 'must not be blank')
  .max(limits.labelText)
  .refine((text) => !controls.test(text), 'must not contain control characters')

/** What a label is about: the run itself, the test that it names, or the turn. */
const LabelTarget = z.object({
  testName: z.string().min(1).max(2000).optional(),
  turn: z.int().min(0).max(maxPosition).optional(),
})

export const Label = LabelTarget.extend({
  id: z.uuid(),
  kind: LabelKind,
  text: z.string(),
  claimedOutcome: ClaimedOutcome.optional(),
  createdBy: Actor,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  canChange: z.boolean(),
  canDelete: z.boolean(),
})
export type Label = z.infer<typeof Label>

export const NewLabel = LabelTarget.extend({
  kind: LabelKind,
  text: LabelText,
  claimedOutcome: ClaimedOutcome.optional(),
})
export type NewLabel = z.infer<typeof NewLabel>

/** `hiddenCount`: labels of others that a blind reader does not see yet. */
export const LabelList = z.object({ labels: z.array(Label), hiddenCount: z.int().min(0) })
export type LabelList = z.infer<typeof LabelList>

/** A tag of the organization, with the number of runs that have it on the run, one of its tests or one of its turns. */
export const TagUse = z.object({ name: z.string(), runs: z.int().min(0) })
export type TagUse = z.infer<typeof TagUse>

const errors = ['invalid_argument', 'unauthenticated', 'permission_denied'] as const

export const listLabels = endpoint({
  name: 'labels.list',
  method: 'GET',
  path: '/runs/:id/labels',
  summary: 'List the labels of a run',
  query: z.object({ blind: booleanParam() }),
  response: LabelList,
  errors: [...errors, 'not_found'],
})

export const addLabel = endpoint({
  name: 'labels.add',
  method: 'POST',
  path: '/runs/:id/labels',
  summary: 'Add a tag, a note or a dispute to a run, a test or a turn',
  body: NewLabel,
  response: Label,
  status: 201,
  errors: [...errors, 'not_found', 'already_exists', 'failed_precondition', 'resource_exhausted'],
})

export const changeLabel = endpoint({
  name: 'labels.change',
  method: 'PATCH',
  path: '/runs/:id/labels/:labelId',
  summary: 'Change the text of your own note or dispute',
  body: z.object({ text: LabelText }),
  response: Label,
  errors: [...errors, 'not_found', 'failed_precondition'],
})

export const deleteLabel = endpoint({
  name: 'labels.delete',
  method: 'DELETE',
  path: '/runs/:id/labels/:labelId',
  summary: 'Delete a label',
  response: z.undefined(),
  status: 204,
  errors: [...errors, 'not_found'],
})

export const listTags = endpoint({
  name: 'labels.tags',
  method: 'GET',
  path: '/tags',
  summary: 'List the tags of the organization, most used first',
  response: z.object({ tags: z.array(TagUse) }),
  errors,
})
