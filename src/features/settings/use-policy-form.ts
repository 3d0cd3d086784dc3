import { useState } from 'react'
import type { z } from 'zod'

import { useForm } from '#src/forms/use-form.ts'

/** Rules of the organization, with the time of their last change. */
type Stamped = { updatedAt: string | null }
type RulesOf<Policy extends Stamped> = Omit<Policy, 'updatedAt'>
type BodyOf<Policy extends Stamped> = RulesOf<Policy> & { expectedUpdatedAt: string | null }

type Options<Policy extends Stamped, Values> = {
  schema: z.ZodType<unknown, BodyOf<Policy>>
  send: (body: BodyOf<Policy>) => Promise<unknown>
  valuesOf: (rules: RulesOf<Policy>) => Values
  /** The rules that the form edits; each has the name of its value. */
  rulesOf: (values: Values) => Partial<RulesOf<Policy>>
  fieldOf: (path: string, values: Values) => string | undefined
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/**
 * A form over rules of the organization, or a part of them. If somebody else saves them meanwhile, fields without edits
 * show the new rules and edits stay; `moved` names the fields that changed, and those that both changed.
 */
export function usePolicyForm<Policy extends Stamped, Values extends Record<string, unknown>>(
  latest: Policy,
  { schema, send, valuesOf, rulesOf, fieldOf }: Options<Policy, Values>,
) {
  const [base, setBase] = useState(latest)
  const [moved, setMoved] = useState<{ theirs: string[]; both: string[] } | null>(null)
  const form = useForm<Values, BodyOf<Policy>, unknown>({
    initialValues: valuesOf(latest),
    schema,
    toBody: (values) => {
      const { updatedAt: expectedUpdatedAt, ...rules } = base
      return { ...rules, ...rulesOf(values), expectedUpdatedAt }
    },
    send,
    onSent: () => setMoved(null),
    fieldOf,
  })

  if (latest.updatedAt !== base.updatedAt) {
    const values = form.getValues()
    const [before, mine, now] = [rulesOf(valuesOf(base)), rulesOf(values), rulesOf(valuesOf(latest))]
    const changed = (Object.keys(now) as (keyof typeof now & string)[]).filter(
      (name) => !same(before[name], now[name]) && !same(mine[name], now[name]),
    )
    const theirs = changed.filter((name) => same(before[name], mine[name]))
    const shown = valuesOf(latest)
    form.setValues(Object.fromEntries(theirs.map((name) => [name, shown[name]])) as unknown as Partial<Values>)
    setBase(latest)
    if (changed.length > 0) setMoved({ theirs, both: changed.filter((name) => !theirs.includes(name)) })
  }

  const discard = () => {
    form.setValues(valuesOf(latest))
    form.clearErrors()
    form.clearFailure()
    setMoved(null)
  }
  return { form, moved, discard }
}
