/** A new name for a device: 32 hexadecimal digits. @param random 0 to 1, as good as the browser's. */
export function newDeviceId(random: () => number): string {
  return Array.from({ length: 32 }, () => Math.floor(random() * 16).toString(16)).join('');
}
