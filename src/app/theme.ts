import dialog from '#src/ui/dialog.module.css'
import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from '@mantine/core'

const accent: MantineColorsTuple = [
  '#eef0fc',
  '#dadef8',
  '#b4bbf0',
  '#9aa4f5',
  '#7883e4',
  '#5d6ae0',
  '#4753c9',
  '#3d48b8',
  '#333d9c',
  '#262d73',
]

const gray: MantineColorsTuple = [
  '#f7f7f8',
  '#f3f3f5',
  '#e7e7ea',
  '#d3d3d9',
  '#c3c3ca',
  '#a5a5af',
  '#6f6f7a',
  '#5b5b66',
  '#33333a',
  '#1b1b1f',
]

const dark: MantineColorsTuple = [
  '#ededf0',
  '#c3c3ca',
  '#a3a3ae',
  '#8b8b96',
  '#3a3a43',
  '#26262c',
  '#18181c',
  '#111114',
  '#0c0c0e',
  '#08080a',
]

/** For destructive buttons: white text on shades 5 and 6 stays readable. */
const red: MantineColorsTuple = [
  '#fdecec',
  '#fbd5d6',
  '#f5a9ab',
  '#ee7d81',
  '#e5484d',
  '#ce3d43',
  '#c62a2f',
  '#ab2328',
  '#8c1d21',
  '#5f1316',
]

export const theme = createTheme({
  colors: { accent, gray, dark, red },
  primaryColor: 'accent',
  primaryShade: { light: 6, dark: 5 },
  fontFamily: "'Inter Variable', system-ui, -apple-system, 'Segoe UI', sans-serif",
  fontFamilyMonospace: 'var(--mono)',
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '18px' },
  headings: {
    fontWeight: '600',
    sizes: { h1: { fontSize: '20px', lineHeight: '28px' }, h2: { fontSize: '15px', lineHeight: '24px' } },
  },
  spacing: { xs: '8px', sm: '12px', md: '16px', lg: '24px', xl: '32px' },
  defaultRadius: '6px',
  cursorType: 'pointer',
  respectReducedMotion: true,
  // Components are referred to by name, because importing them would load all of them with the first page.
  components: {
    Button: { defaultProps: { size: 'xs' } },
    Modal: {
      defaultProps: {
        yOffset: '12dvh',
        overlayProps: { backgroundOpacity: 0.35 },
        closeButtonProps: { 'aria-label': 'Close' },
        classNames: dialog,
      },
    },
    Tooltip: { defaultProps: { openDelay: 300, withinPortal: true, fz: 12 } },
  },
})

/** Mantine's own variables, taken from tokens.css, so there is one palette. */
export const cssVariables: CSSVariablesResolver = () => {
  const shared = {
    '--mantine-color-body': 'var(--surface)',
    '--mantine-color-text': 'var(--text)',
    '--mantine-color-dimmed': 'var(--text-muted)',
    '--mantine-color-placeholder': 'var(--text-faint)',
    '--mantine-color-default': 'var(--surface-raised)',
    '--mantine-color-default-hover': 'var(--surface-hover)',
    '--mantine-color-default-border': 'var(--line-strong)',
    '--mantine-color-anchor': 'var(--accent-text)',
    '--mantine-color-error': 'var(--status-failed)',
  }
  return { variables: {}, light: shared, dark: shared }
}
