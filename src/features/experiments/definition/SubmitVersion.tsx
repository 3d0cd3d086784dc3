import { Button } from '@mantine/core'
import { Link } from 'react-router'

import { paths } from '#src/paths.ts'

type Props = { experimentId: string; fingerprint: string; ordinal: number }

/** Opens the submit dialog for exactly the version that a push created or matched. */
export const SubmitVersion = ({ experimentId, fingerprint, ordinal }: Props) => (
  <Button component={Link} variant="light" size="compact-xs" to={paths.submit(experimentId, { version: fingerprint })}>
    Submit v{ordinal}
  </Button>
)
