import { Button, Select } from '@mantine/core'

import type { ExperimentSummary } from '#contract/experiments.ts'
import type { Organization } from '#contract/identity.ts'
import { currentOrganizationId } from '#src/api/organization.ts'
import { paths } from '#src/paths.ts'
import { TextLink } from '#src/ui/TextLink.tsx'
import mutedText from '#src/ui/muted-text.module.css'
import classes from './QueryPage.module.css'
import { noModeled, type QueryState } from './query-state.ts'
import { moveDraft } from './sql-draft.ts'
import { useQueryUrl } from './use-query-url.ts'

type Props = {
  state: QueryState
  experiments: readonly ExperimentSummary[]
  organizations: readonly Organization[]
  userId: string
}

/** The scope of a query. Changing it keeps the query, even one that hasn't been run. */
export function ScopeBanner({ state, experiments, organizations, userId }: Props) {
  const { set } = useQueryUrl()
  const { target } = state
  const organization = organizations.find(({ id }) => id === currentOrganizationId())
  const chosen = target?.kind === 'experiment' ? target.experimentId : null
  const known = experiments.map(({ id, name }) => ({ value: id, label: name === id ? id : `${name} (${id})` }))
  const options =
    chosen && !known.some(({ value }) => value === chosen) ? [...known, { value: chosen, label: chosen }] : known
  const choose = (experiment: string | null) => {
    if (experiment !== null && target)
      moveDraft(target, { kind: 'experiment', experimentId: experiment }, { actorId: userId, requested: state.sql })
    set({ ...noModeled, experiment, run: null, scope: null })
  }
  return (
    <section className={classes.scope} aria-label="Scope">
      <span className={classes.scopeName}>{organization?.name ?? 'Organization'}</span>
      <span aria-hidden>/</span>
      {target?.kind === 'run' && (
        <>
          <span>
            run <TextLink href={paths.run(target.runId)}>{target.runId}</TextLink>
          </span>
          <span className={mutedText.note}>or</span>
        </>
      )}
      <Select
        size="xs"
        w={300}
        maw="100%"
        searchable
        clearable
        aria-label="Experiment"
        placeholder={target ? 'Switch to an experiment' : 'Choose an experiment'}
        nothingFoundMessage="No matching experiments"
        value={chosen}
        data={options}
        onChange={choose}
      />
      <span className={mutedText.note}>
        {target?.kind === 'experiment' && 'Includes finished runs of this experiment only.'}
        {target?.kind === 'organization' && 'Includes finished runs of every experiment.'}
        {target?.kind !== 'organization' && (
          <>
            {target ? ' Or ' : 'or '}
            <ChooseOrganization state={state} userId={userId} />
          </>
        )}
      </span>
    </section>
  )
}

function ChooseOrganization({ state, userId }: Pick<Props, 'state' | 'userId'>) {
  const { set } = useQueryUrl()
  const choose = () => {
    if (state.target) moveDraft(state.target, { kind: 'organization' }, { actorId: userId, requested: state.sql })
    set({ ...noModeled, experiment: null, run: null, scope: 'organization' })
  }
  return (
    <Button size="compact-xs" variant="subtle" onClick={choose}>
      query the whole organization
    </Button>
  )
}
