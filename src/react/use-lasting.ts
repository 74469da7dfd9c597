import { useEffect, useState } from "react";

/** Whether something has been so for as long as this. */
export function useLasting(isSo: boolean, milliseconds: number): boolean {
  const [isLasting, setLasting] = useState(false);
  useEffect(() => {
    if (!isSo) return setLasting(false);
    const timer = setTimeout(() => setLasting(true), milliseconds);
    return () => clearTimeout(timer);
  }, [isSo, milliseconds]);
  return isSo && isLasting;
}
