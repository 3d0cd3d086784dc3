import { Button, Select } from '@mantine/core'

import type { ExperimentSummary } from '#contract/experiments.ts'
import type { Organization } from '#contract/identity.ts'
import { currentOrganizationId } from '#src/api/organization.ts'
import { paths } from '#src/paths.ts'
import { TextLink } from '#src/ui/TextLink.tsx'
import classes from './QueryPage.module.css'
import { noModeled, type QueryState } from './query-state.ts'
import { useQueryUrl } from './use-query-url.ts'

type Props = {
  state: QueryState
  experiments: readonly ExperimentSummary[]
  organizations: readonly Organization[]
}

/** What a query sees, and nothing beyond; changing it keeps the statement. */
export function ScopeBanner({ state, experiments, organizations }: Props) {
  const { set } = useQueryUrl()
  const { target, isOrganization } = state
  const organization = organizations.find(({ id }) => id === currentOrganizationId())
  const chosen = target?.kind === 'experiment' ? target.experimentId : null
  const known = experiments.map(({ id, name }) => ({ value: id, label: name === id ? id : `${name} (${id})` }))
  const options =
    chosen && !known.some(({ value }) => value === chosen) ? [...known, { value: chosen, label: chosen }] : known
  const choose = (experiment: string | null) => set({ ...noModeled, experiment, run: null, scope: null })
  return (
    <section className={classes.scope} aria-label="Scope">
      <span className={classes.scopeName}>{organization?.name ?? 'Organization'}</span>
      {target?.kind === 'run' ? (
        <>
          <span aria-hidden>/</span>
          <span>
            run <TextLink href={paths.run(target.runId)}>{target.runId}</TextLink>
          </span>
          <Button size="compact-xs" variant="subtle" onClick={() => choose(null)}>
            Choose another scope
          </Button>
        </>
      ) : (
        <>
          <span aria-hidden>/</span>
          <Select
            size="xs"
            w={300}
            maw="100%"
            searchable
            clearable
            aria-label="Experiment"
            placeholder="Choose an experiment to ask"
            nothingFoundMessage="No experiment by that name"
            value={chosen}
            data={options}
            onChange={choose}
          />
          {target ? (
            <span className={classes.quiet}>Sees the finished runs of this experiment and no others.</span>
          ) : (
            !isOrganization && (
              <span className={classes.quiet}>
                or <ChooseOrganization />
              </span>
            )
          )}
        </>
      )}
    </section>
  )
}

function ChooseOrganization() {
  const { set } = useQueryUrl()
  return (
    <Button size="compact-xs" variant="subtle" onClick={() => set({ scope: 'organization' })}>
      save a query over the whole organization
    </Button>
  )
}
