import {
  IconBook2,
  IconChartDots,
  IconCoins,
  IconFileText,
  IconFlask2,
  IconHome,
  IconKey,
  IconPlayerPlay,
  IconSettings,
} from '@tabler/icons-react'

import type { SavedViewPage } from '#contract/saved-views.ts'
import { paths } from './paths.ts'

type Entry = {
  label: string
  href: string
  /** The first part of the URLs. */
  match: RegExp
  icon: typeof IconHome
  /** The link opens the reader's default view of this page. */
  viewed?: SavedViewPage
}

/** The pages of the left navigation. */
export const navigation: readonly Entry[] = [
  { label: 'Home', href: paths.home(), match: /^\/$/, icon: IconHome },
  { label: 'Experiments', href: paths.experiments(), match: /^\/experiments/, icon: IconFlask2, viewed: 'experiments' },
  { label: 'Runs', href: paths.runs(), match: /^\/(runs|review|schedules)/, icon: IconPlayerPlay, viewed: 'runs' },
  { label: 'Reports', href: paths.reports(), match: /^\/reports/, icon: IconFileText, viewed: 'reports' },
  { label: 'Insights', href: paths.insights(), match: /^\/insights/, icon: IconChartDots, viewed: 'insights' },
  { label: 'Context', href: paths.context(), match: /^\/context/, icon: IconBook2, viewed: 'context' },
  { label: 'Secrets', href: paths.secrets(), match: /^\/secrets/, icon: IconKey },
  { label: 'Credits', href: paths.credits(), match: /^\/credits/, icon: IconCoins },
  { label: 'Settings', href: paths.settings(), match: /^\/settings/, icon: IconSettings },
]
