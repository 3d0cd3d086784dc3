import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'

import { experimentListOptions } from '#src/api/experiments.ts'
import { paths } from '#src/paths.ts'
import { Notice } from '#src/ui/Notice.tsx'
import { TextLink } from '#src/ui/TextLink.tsx'

/** Pushing an existing id creates a version, not an experiment. */
export function TakenIdNotice({ text }: { text: string }) {
  const [id = ''] = useDebouncedValue(/^id:\s*([a-z0-9-]+)\s*$/m.exec(text)?.[1], 400)
  const found = useQuery({
    ...experimentListOptions({ search: id, limit: 50 }),
    enabled: id !== '',
    refetchInterval: false,
  })
  const taken = found.data?.experiments.find((experiment) => experiment.id === id)
  if (!taken) return null
  return (
    <Notice title="This id already exists.">
      This creates v{taken.ordinal + 1} of <TextLink href={paths.experiment(id)}>{taken.name}</TextLink>.
    </Notice>
  )
}
