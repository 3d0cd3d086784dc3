import { Checkbox, NativeSelect, NumberInput, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { z } from 'zod'

import { type Budget, type BudgetScope, putBudget } from '#contract/budgets.ts'
import { ModelProviderName, providerLabels } from '#contract/model-providers.ts'
import { saveBudget } from '#src/api/budgets.ts'
import { allExperimentsOptions } from '#src/api/experiments.ts'
import { useInfiniteList } from '#src/api/infinite-list.ts'
import { memberListOptions } from '#src/api/members.ts'
import { FormFoot } from '#src/forms/FormFoot.tsx'
import { useForm } from '#src/forms/use-form.ts'
import formParts from '#src/ui/form-parts.module.css'

type Body = z.input<typeof putBudget.body>

const scopes: { value: BudgetScope; label: string }[] = [
  { value: 'organization', label: 'All runs of the organization' },
  { value: 'person', label: 'Runs of one person' },
  { value: 'experiment', label: 'Runs of one experiment' },
  { value: 'provider', label: 'Runs that use one provider’s models' },
]

const keyLabels = { person: 'Person', experiment: 'Experiment', provider: 'Provider' }

const countedByModel =
  'Runs count by the id of their model. A hard limit also refuses runs that may use this provider although their model’s id does not show it.'

type Props = {
  /** The budget to change. */
  budget: Budget | undefined
  onSaved: () => void
}

export function BudgetForm({ budget, onSaved }: Props) {
  const form = useForm({
    initialValues: {
      scope: budget?.scope ?? ('organization' as BudgetScope),
      key: budget?.key ?? '',
      monthlyLimitUsd: (budget?.monthlyLimitUsd ?? '') as number | '',
      isHard: budget?.isHard ?? false,
      warnAtPercent: (budget?.warnAtPercent ?? 80) as number | '',
    },
    schema: putBudget.body as z.ZodType<unknown, Body>,
    toBody: ({ scope, key, monthlyLimitUsd, isHard, warnAtPercent }): Body => ({
      scope,
      ...(scope !== 'organization' && { key }),
      monthlyLimitUsd: monthlyLimitUsd === '' ? 0 : monthlyLimitUsd,
      isHard,
      warnAtPercent: warnAtPercent === '' ? 0 : warnAtPercent,
    }),
    send: saveBudget,
    onSent: onSaved,
  })
  const { scope } = form.values
  const people = useInfiniteList(memberListOptions()).rows ?? []
  const { data } = useQuery({ ...allExperimentsOptions(), enabled: scope === 'experiment' })
  const choices = {
    organization: [],
    person: people.map(({ id, name, email }) => ({ value: id, label: name === email ? email : `${name} (${email})` })),
    experiment: (data?.experiments ?? []).map(({ id, name }) => ({ value: id, label: `${name} (${id})` })),
    provider: ModelProviderName.options.map((value) => ({ value, label: providerLabels[value] })),
  }
  return (
    <form className={formParts.roomyForm} onSubmit={form.submit} noValidate>
      <NativeSelect
        label="Applies to"
        data={scopes}
        disabled={budget !== undefined}
        {...form.getInputProps('scope')}
        onChange={(event) => form.setValues({ scope: event.currentTarget.value as BudgetScope, key: '' })}
      />
      {scope !== 'organization' && (
        <Select
          label={keyLabels[scope]}
          description={scope === 'provider' ? countedByModel : undefined}
          data={choices[scope]}
          searchable
          limit={100}
          disabled={budget !== undefined}
          {...form.getInputProps('key')}
          onChange={(key) => form.setFieldValue('key', key ?? '')}
        />
      )}
      <NumberInput
        label="Limit per calendar month"
        description="In US dollars, for compute and models, on the platform’s keys and on your own."
        prefix="$"
        min={0}
        allowNegative={false}
        decimalScale={4}
        data-autofocus
        {...form.getInputProps('monthlyLimitUsd')}
        onChange={(value) => form.setFieldValue('monthlyLimitUsd', typeof value === 'number' ? value : '')}
      />
      <NumberInput
        label="Warn at"
        description="Admins, and the person of a personal budget, are notified at this share of the limit, and again at the limit."
        suffix=" %"
        min={1}
        max={100}
        clampBehavior="strict"
        allowDecimal={false}
        {...form.getInputProps('warnAtPercent')}
        onChange={(value) => form.setFieldValue('warnAtPercent', typeof value === 'number' ? value : '')}
      />
      <Checkbox
        label="Hard limit"
        description="Refuses new real runs that the budget does not cover. Runs that have started continue."
        {...form.getInputProps('isHard', { type: 'checkbox' })}
      />
      <FormFoot form={form} failed="The budget was not saved" verb="Save budget" isOnPage />
    </form>
  )
}
