import type { WhoAmI } from '#contract/identity.ts'
import type { permissionsOf } from '#src/api/permissions.ts'
import type { SettingsPage } from '#src/paths.ts'

type Group = { heading: string; pages: { page: SettingsPage; label: string }[] }

const forAdmins: Group['pages'] = [
  { page: 'invitations', label: 'Invitations' },
  { page: 'organization/keys', label: 'API keys' },
  { page: 'run-policy', label: 'Run policy' },
  { page: 'model-providers', label: 'Model providers' },
  { page: 'retention', label: 'Retention' },
  { page: 'webhooks', label: 'Webhooks' },
  { page: 'mail', label: 'Email' },
  { page: 'audit', label: 'Audit log' },
]

const ofPerson: Group['pages'] = [
  { page: 'keys', label: 'Your API keys' },
  { page: 'notifications', label: 'Notifications' },
  { page: 'profile', label: 'Profile' },
]

/** The pages of settings that concern this caller. An organization key has no settings of its own. */
export function settingsFor(
  { keyKind }: Pick<WhoAmI, 'keyKind'>,
  { manageOrganization }: Pick<ReturnType<typeof permissionsOf>, 'manageOrganization'>,
): Group[] {
  const groups: Group[] = [
    { heading: 'You', pages: keyKind === 'personal' ? ofPerson : [] },
    {
      heading: 'Organization',
      pages: [
        { page: 'general', label: 'General' },
        { page: 'members', label: 'Members' },
        ...(manageOrganization ? forAdmins : []),
      ],
    },
  ]
  return groups.filter(({ pages }) => pages.length > 0)
}
