import { Kbd, UnstyledButton } from '@mantine/core'
import { useOs } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { lazy, Suspense, useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useNavigate } from 'react-router'

import { clipRequests } from '#src/shared/clip/clip-requests.ts'
import { paths } from '#src/paths.ts'
import { confirmDialogs } from '#src/ui/confirm.ts'
import { useShortcut } from '#src/ui/shortcuts/use-shortcut.ts'
import classes from './Shell.module.css'
import { collectKeys } from './collect-keys.ts'

const Palette = lazy(async () => ({ default: (await import('#src/app/palette/Palette.tsx')).Palette }))
const ConfirmDialog = lazy(async () => ({ default: (await import('#src/ui/ConfirmDialog.tsx')).ConfirmDialog }))
const ClipDialog = lazy(async () => ({ default: (await import('#src/shared/clip/ClipDialog.tsx')).ClipDialog }))
const ShortcutsHelp = lazy(async () => ({ default: (await import('./ShortcutsHelp.tsx')).ShortcutsHelp }))

/** Dialogs that open over any page, and global shortcuts. The code loads on first use. */
export function Overlays({ onOpen }: { onOpen: () => void }) {
  const [showsPalette, setShowsPalette] = useState(false)
  const [showsHelp, setShowsHelp] = useState(false)
  const question = useSyncExternalStore(confirmDialogs.subscribe, confirmDialogs.current)
  const clip = useSyncExternalStore(clipRequests.subscribe, clipRequests.current)
  const navigate = useNavigate()
  const os = useOs()
  const keys = useRef<ReturnType<typeof collectKeys>>(null)
  const takeTyped = useCallback(() => keys.current?.stop() ?? '', [])
  const closePalette = () => {
    takeTyped()
    setShowsPalette(false)
  }
  const showPalette = () => {
    if (showsPalette) return
    keys.current = collectKeys(closePalette)
    onOpen()
    setShowsPalette(true)
  }
  // Browser API: the page gets its keys back, should the palette fail to load.
  useEffect(() => () => void takeTyped(), [takeTyped])
  useShortcut('palette', showPalette)
  useShortcut('search', showPalette, { isFallback: true })
  useShortcut('help', () => setShowsHelp(true))
  useShortcut('goHome', () => void navigate(paths.home()))
  useShortcut('goExperiments', () => void navigate(paths.experiments()))
  useShortcut('goRuns', () => void navigate(paths.runs()))
  useShortcut('goReports', () => void navigate(paths.reports()))
  useShortcut('goInsights', () => void navigate(paths.insights()))
  useShortcut('goContext', () => void navigate(paths.context()))
  useShortcut('goSecrets', () => void navigate(paths.secrets()))
  useShortcut('goCredits', () => void navigate(paths.credits()))
  useShortcut('goSettings', () => void navigate(paths.settings()))
  useShortcut('create', () => void navigate(paths.newExperiment()))
  return (
    <>
      <UnstyledButton className={`${classes.navButton} ${classes.search}`} onClick={showPalette}>
        <IconSearch size={14} aria-hidden />
        <span className={classes.grow}>Go to…</span>
        <Kbd size="xs">{os === 'macos' ? '⌘ K' : 'Ctrl K'}</Kbd>
      </UnstyledButton>
      <Suspense>
        {showsPalette && <Palette takeTyped={takeTyped} onClose={closePalette} onHelp={() => setShowsHelp(true)} />}
      </Suspense>
      <Suspense>
        {showsHelp && <ShortcutsHelp onClose={() => setShowsHelp(false)} />}
        {question && <ConfirmDialog question={question} onClose={confirmDialogs.dismiss} />}
        {clip && <ClipDialog key={clip.clippedAt} clip={clip} onClose={clipRequests.dismiss} />}
      </Suspense>
    </>
  )
}
