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

import { paths } from './paths.ts'

/** The pages of the left navigation; `match` is the first part of their URLs. */
export const navigation = [
  { label: 'Home', href: paths.home(), match: /^\/$/, icon: IconHome },
  { label: 'Experiments', href: paths.experiments(), match: /^\/experiments/, icon: IconFlask2 },
  { label: 'Runs', href: paths.runs(), match: /^\/runs/, icon: IconPlayerPlay },
  { label: 'Reports', href: paths.reports(), match: /^\/reports/, icon: IconFileText },
  { label: 'Insights', href: paths.insights(), match: /^\/insights/, icon: IconChartDots },
  { label: 'Context', href: paths.context(), match: /^\/context/, icon: IconBook2 },
  { label: 'Secrets', href: paths.secrets(), match: /^\/secrets/, icon: IconKey },
  { label: 'Credits', href: paths.credits(), match: /^\/credits/, icon: IconCoins },
  { label: 'Settings', href: paths.settings(), match: /^\/settings/, icon: IconSettings },
] as const
