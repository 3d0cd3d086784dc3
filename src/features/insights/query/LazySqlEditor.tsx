import { type ComponentProps, Suspense, lazy } from 'react'

const SqlEditor = lazy(async () => ({ default: (await import('#src/editor/SqlEditor.tsx')).SqlEditor }))

/** CodeMirror loads only when there is SQL to show. */
export const LazySqlEditor = (props: ComponentProps<typeof SqlEditor>) => (
  <Suspense>
    <SqlEditor {...props} />
  </Suspense>
)
