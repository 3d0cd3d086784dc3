import { useQuery } from '@tanstack/react-query'

import type { ModelProviders } from '#contract/model-providers.ts'
import type { RunPolicy } from '#contract/run-policy.ts'
import { modelProvidersOptions } from '#src/api/model-providers.ts'
import { runPolicyOptions } from '#src/api/run-policy.ts'
import { AdminsOnly } from '#src/features/settings/AdminsOnly.tsx'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { Section } from '#src/ui/Section.tsx'
import { DataTable } from '#src/ui/table/DataTable.tsx'
import classes from './model-providers.module.css'
import { ModelRulesForm } from './ModelRulesForm.tsx'
import { priceColumns } from './price-columns.tsx'

/** Which models runs may use, whose keys pay for them, and what they cost. */
export const Component = () => (
  <AdminsOnly title="Model providers" right="see the model providers">
    <EditModelProviders />
  </AdminsOnly>
)

function EditModelProviders() {
  const policy = useQuery(runPolicyOptions())
  const known = useQuery(modelProvidersOptions())
  const failed = [policy, known].find(({ error }) => error)
  return (
    <>
      <title>Model providers · Assay</title>
      <PageHeader
        title="Model providers"
        facts="Choose which models real runs may use and whose keys pay for them. These rules are part of the run policy: they are checked when you submit runs and when each run starts, and the allowed models also at each model call."
      />
      {failed?.error && (
        <ErrorNotice
          title="The model providers could not be loaded"
          error={failed.error}
          onRetry={() => void failed.refetch()}
        />
      )}
      {policy.data && known.data && <Loaded policy={policy.data} known={known.data} />}
    </>
  )
}

function Loaded({ policy, known }: { policy: RunPolicy; known: ModelProviders }) {
  const bases = [...new Set(known.prices.flatMap(({ basis }) => basis ?? []))]
  return (
    <>
      <ModelRulesForm policy={policy} providers={known.providers} />
      <Section title="Price list">
        <p className={classes.note}>
          In US dollars per million tokens. Calls with the platform’s keys are charged at these prices. For calls with
          your own keys, Assay uses them to calculate the cost, unless you set a price above. The operator can replace
          them in MODEL_PRICES_FILE.
          {bases.length > 0 && ` Sources: ${bases.join('; ')}.`}
        </p>
        <DataTable
          label="model prices"
          columns={priceColumns}
          rows={known.prices}
          rowId={({ model }) => model}
          empty={{ title: 'No model has a price' }}
        />
      </Section>
    </>
  )
}
