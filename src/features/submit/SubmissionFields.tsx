import type { ReactNode } from 'react'

import type { Experiment } from '#contract/experiments.ts'
import { permissionsOf } from '#src/api/permissions.ts'
import type { Form } from '#src/forms/use-form.ts'
import { AxisChoices } from './AxisChoices.tsx'
import { ImportedNotice } from '#src/ui/ImportedNotice.tsx'
import { SecretsNotice } from './SecretsNotice.tsx'
import type { Chosen } from './selected-variants.ts'
import type { SubmissionValues } from './submission-values.ts'
import { SubmitOptions } from './SubmitOptions.tsx'
import classes from './SubmitForm.module.css'
import type { Selection } from './use-selection.ts'
import { VariantChoices } from './VariantChoices.tsx'

type Props = {
  form: Form<SubmissionValues>
  experiment: Experiment
  selection: Selection
  /** False where every start runs the newest version. */
  hasVersion?: boolean
  /** Shown below the options, where choices do not push it out of view. */
  children?: ReactNode
}

/** The fields that choose what runs. */
export function SubmissionFields({
  form,
  experiment,
  selection: { caller, missing },
  hasVersion = true,
  children,
}: Props) {
  const { selectors, mock } = form.values
  const select = (selectors: Chosen) => form.setFieldValue('selectors', selectors)
  return (
    <>
      <SubmitOptions experiment={experiment} form={form} sandbox={caller.sandbox} hasVersion={hasVersion} />
      {children}
      {!mock && experiment.imported && <ImportedNotice experimentId={experiment.id} />}
      {!mock && (
        <SecretsNotice
          missing={missing}
          mayCreate={permissionsOf(caller).manageSecrets}
          onMock={() => form.setFieldValue('mock', true)}
        />
      )}
      <div className={classes.choices}>
        <AxisChoices experiment={experiment} chosen={selectors} onSelect={select} />
        <VariantChoices variants={experiment.variants} chosen={selectors} onSelect={select} />
      </div>
    </>
  )
}
