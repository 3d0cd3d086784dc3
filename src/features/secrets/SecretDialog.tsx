import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import { secretOptions } from '#src/api/secrets.ts'
import { ErrorNotice } from '#src/ui/ErrorNotice.tsx'
import { useQueryState } from '#src/url/use-query-state.ts'
import { Dialog } from '#src/ui/Dialog.tsx'
import { SecretForm } from './SecretForm.tsx'

/** Open while the URL has `new` (with an optional initial `slug`) or `replace` (a slug). */
export function SecretDialog() {
  const url = useQueryState()
  const replaced = url.one('replace')
  const close = () => url.push({ new: null, slug: null, replace: null })
  if (replaced === '' && url.one('new') === '') return null
  return (
    <Dialog opened onClose={close} title={replaced === '' ? 'New secret' : `Replace ${replaced}`}>
      {replaced === '' ? (
        <SecretForm start={url.one('slug')} replaced={null} onDone={close} />
      ) : (
        <ReplaceSecret key={replaced} slug={replaced} onDone={close} />
      )}
    </Dialog>
  )
}

/** The form includes the old description, because a description that is not sent is cleared. */
function ReplaceSecret({ slug, onDone }: { slug: string; onDone: () => void }) {
  const { data: secret, error, refetch, isPending } = useQuery(secretOptions(slug))
  if (error) return <ErrorNotice title="The secret could not be loaded" error={error} onRetry={() => void refetch()} />
  if (isPending && secret === undefined) return <Skeleton height={200} />
  return <SecretForm start={slug} replaced={secret ?? null} onDone={onDone} />
}
