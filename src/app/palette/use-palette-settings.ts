import { useQuery } from '@tanstack/react-query'

import { whoamiOptions } from '#src/api/identity.ts'
import { useInfiniteList } from '#src/api/infinite-list.ts'
import { memberListOptions } from '#src/api/members.ts'
import { permissionsOf } from '#src/api/permissions.ts'
import { settingsFor } from '#src/features/settings/settings-pages.ts'
import { paths, type SettingsPage } from '#src/paths.ts'
import type { PaletteEntry, PaletteHandlers } from './palette-entry.ts'

/** What people call the pages of settings besides their names. */
const keywords: Partial<Record<SettingsPage, readonly string[]>> = {
  keys: ['token'],
  profile: ['account', 'sessions'],
  general: ['organization name'],
  members: ['people', 'users', 'roles'],
  invitations: ['invite'],
  'organization/keys': ['token'],
  'run-policy': ['limits'],
  retention: ['delete old transcripts'],
  'model-providers': ['prices'],
  mail: ['mail', 'SMTP'],
  audit: ['history', 'security'],
}

/** The pages of settings that concern the caller. */
export function usePaletteSettings(go: PaletteHandlers['go']): PaletteEntry[] {
  const { data: caller } = useQuery(whoamiOptions())
  if (!caller) return []
  return settingsFor(caller, permissionsOf(caller)).flatMap(({ heading, pages }) =>
    pages.map(({ page, label }) => ({
      id: `settings:${page}`,
      label,
      description: `Settings · ${heading}`,
      keywords: keywords[page] ?? [],
      run: () => go(paths.settings(page)),
    })),
  )
}

/** Once something is typed, everyone with access to the organization. */
export function usePaletteMembers(search: string, go: PaletteHandlers['go']) {
  const { rows = [], query } = useInfiniteList(memberListOptions(), { poll: false })
  const entries: PaletteEntry[] = (search === '' ? [] : rows).map(({ id, name, email }) => ({
    id: `member:${id}`,
    label: name,
    description: email,
    run: () => go(paths.settings('members', { query: email })),
  }))
  return { entries, query }
}
