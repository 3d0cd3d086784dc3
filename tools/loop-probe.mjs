// Preloaded into the platform by bench/event-loop.ts and a test: measures the longest time in which its event loop did not turn.
let last = performance.now()
let usedAtLast = process.threadCpuUsage()
let longest = { ms: 0, processorMs: 0 }

const timer = setInterval(() => {
  const now = performance.now()
  const used = process.threadCpuUsage(usedAtLast)
  longest.ms = Math.max(longest.ms, now - last)
  longest.processorMs = Math.max(longest.processorMs, (used.user + used.system) / 1000)
  last = now
  usedAtLast = process.threadCpuUsage()
}, 5)
timer.unref()

process.on('message', (message) => {
  if (message !== 'longest block') return
  process.send(longest)
  longest = { ms: 0, processorMs: 0 }
})
process.channel?.unref()
