import { createRoot } from "react-dom/client";
import { AssistantAdmin } from "countersign/react/admin";

const place = document.getElementById("admin");
if (place !== null) {
  const names = new Map(Object.entries(JSON.parse(place.dataset["names"] ?? "{}") as Record<string, string>));
  createRoot(place).render(<AssistantAdmin baseUrl="/assistant" nameOf={(userId) => names.get(userId)} />);
}
