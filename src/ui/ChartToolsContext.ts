import { createContext, type ReactNode } from 'react'

/** What the app offers beside the chart with a label. Published pages have none, nor the scripts for it. */
export const ChartToolsContext = createContext<((label: string) => ReactNode) | null>(null)
