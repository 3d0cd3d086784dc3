import { paths } from '#src/paths.ts'
import { Notice } from './Notice.tsx'
import { TextLink } from './TextLink.tsx'

/** Says why an experiment with imported results cannot run here, and how it could. */
export const ImportedNotice = ({ experimentId }: { experimentId: string }) => (
  <Notice title="These runs were imported, and their agents can’t run here.">
    To run the prompts here, replace the agents’ placeholder commands in the{' '}
    <TextLink href={paths.experiment(experimentId, 'definition')}>definition</TextLink> and add tests.
  </Notice>
)
