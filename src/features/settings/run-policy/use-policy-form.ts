import { useState } from 'react'

import { putRunPolicy, type RunPolicy, type RunRules } from '#contract/run-policy.ts'
import { saveRunPolicy } from '#src/api/run-policy.ts'
import { useForm } from '#src/forms/use-form.ts'

type Options<Values> = {
  valuesOf: (policy: RunRules) => Values
  /** The rules that the form edits; each has the name of its value. */
  rulesOf: (values: Values) => Partial<RunRules>
  fieldOf: (path: string, values: Values) => string | undefined
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/**
 * A form over a part of the run policy. If somebody else saves the policy meanwhile, fields without edits show the new
 * rules and edits stay; `moved` names the fields that changed, and those that both changed.
 */
export function usePolicyForm<Values extends Record<string, unknown>>(
  latest: RunPolicy,
  { valuesOf, rulesOf, fieldOf }: Options<Values>,
) {
  const [base, setBase] = useState(latest)
  const [moved, setMoved] = useState<{ theirs: string[]; both: string[] } | null>(null)
  const form = useForm({
    initialValues: valuesOf(latest),
    schema: putRunPolicy.body,
    toBody: (values) => {
      const { updatedAt: expectedUpdatedAt, ...rules } = base
      return { ...rules, ...rulesOf(values), expectedUpdatedAt }
    },
    send: saveRunPolicy,
    onSent: () => setMoved(null),
    fieldOf,
  })

  if (latest.updatedAt !== base.updatedAt) {
    const values = form.getValues()
    const [before, mine, now] = [rulesOf(valuesOf(base)), rulesOf(values), rulesOf(valuesOf(latest))]
    const changed = (Object.keys(now) as (keyof RunRules)[]).filter(
      (name) => !same(before[name], now[name]) && !same(mine[name], now[name]),
    )
    const theirs = changed.filter((name) => same(before[name], mine[name]))
    const shown = valuesOf(latest)
    form.setValues(Object.fromEntries(theirs.map((name) => [name, shown[name]])) as Partial<Values>)
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
