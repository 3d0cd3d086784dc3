import { expect, test } from 'vitest'

import { whoCanOpen } from './who-can-open.ts'

test.each(['http://127.0.0.1:4400/p/x', 'http://localhost/p/x', 'http://[::1]:4400/p/x'])(
  'the link %s comes with a note that only this machine can open it',
  (link) => expect(whoCanOpen(link)).toContain('PUBLIC_URL'),
)

test.each(['https://assay.example/p/x', 'http://127.example/p/x', 'http://10.0.0.1/p/x'])(
  'nothing is said of the link %s',
  (link) => expect(whoCanOpen(link)).toBeUndefined(),
)
