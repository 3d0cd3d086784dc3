import type { ReactNode } from 'react'

import { paths } from '#src/paths.ts'
import { PageHeader } from '#src/ui/PageHeader.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'
import { DefinitionEditor } from './DefinitionEditor.tsx'
import { TakenIdNotice } from './TakenIdNotice.tsx'

type Props = { about: string; start: string; title: string; choice?: ReactNode }

/** A definition that has no version yet, and templates to start from. */
export const NewExperiment = ({ about, start, title, choice }: Props) => (
  <>
    <title>{`${title} · Assay`}</title>
    <PageHeader above={<TextLink href={paths.experiments()}>Experiments</TextLink>} title={title} />
    {choice}
    <DefinitionEditor
      about={about}
      stored={start}
      origin="Ready to run as is. Edit anything you like."
      pushLabel="Create"
      packaged={null}
      renderActions={() => null}
      renderAside={(text) => <TakenIdNotice text={text} />}
    />
  </>
)
