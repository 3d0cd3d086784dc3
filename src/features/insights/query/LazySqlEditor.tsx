import { type ComponentProps, Suspense, lazy } from 'react'

const SqlEditor = lazy(async () => ({ default: (await import('#src/editor/SqlEditor.tsx')).SqlEditor }))

/** Codemirror is no part of the page: it comes when there is SQL to show. */
export const LazySqlEditor = (props: ComponentProps<typeof SqlEditor>) => (
  <Suspense>
    <SqlEditor {...props} />
  </Suspense>
)
