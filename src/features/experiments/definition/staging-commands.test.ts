import { expect, test } from 'vitest'

import { stagingCommands } from './staging-commands.ts'

const commands = (source: string) =>
  stagingCommands({
    dependencies: [{ source, dest: 'data', kind: 'file' }],
    yamlFile: 'mine.yaml',
    organization: { id: '0f3a', slug: 'lab' },
  })

test('every source is staged under its own name, and the push contains the staged entries', () => {
  expect(commands('./fixtures')).toContain(
    'npm run -s assay -- files stage "$FILES"/./fixtures --org lab --source ./fixtures --dest data\n',
  )
  expect(commands('./fixtures')).toContain('"$ASSAY_API/experiments?org_id=0f3a"')
})

test('a name with blanks, quotes or a dollar sign stays one shell word', () => {
  expect(commands(`it's $HOME`)).toContain(`files stage "$FILES"/'it'\\''s $HOME' --org lab`)
})

test('an absolute path is used unchanged', () => {
  expect(commands('/srv/data')).toContain('files stage /srv/data --org')
})
