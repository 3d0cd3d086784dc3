import { Button, Menu } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCopy } from '@tabler/icons-react'

import type { SqlInsight } from '#contract/insights.ts'
import { currentOrganizationId } from '#src/api/organization.ts'
import { paths } from '#src/paths.ts'

/** What reproduces the insight elsewhere. The key is the reader's own: a page never has one. */
export function CopyAs({ insight, sql }: { insight: SqlInsight; sql: string }) {
  const clipboard = useClipboard({ timeout: 1500 })
  const { reference } = insight
  const copies = {
    Link: () => window.location.origin + paths.insight(reference),
    curl: () => curlOf(reference),
    SQL: () => sql,
  }
  return (
    <Menu position="bottom-end" shadow="sm">
      <Menu.Target>
        <Button variant="default" leftSection={<IconCopy size={14} aria-hidden />}>
          {clipboard.copied ? 'Copied' : 'Copy as'}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {Object.entries(copies).map(([name, text]) => (
          <Menu.Item key={name} onClick={() => clipboard.copy(text())}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

const curlOf = (reference: string) =>
  `curl -H "Authorization: Bearer $API_KEY" "$PLATFORM_URL/api/v1/insights/${encodeURIComponent(reference)}?org_id=${currentOrganizationId() ?? ''}&limit=10000"`
