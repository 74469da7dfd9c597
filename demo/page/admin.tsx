import { createRoot } from "react-dom/client";
import { AssistantAdmin } from "countersign/react/admin";

const place = document.getElementById("admin");
if (place !== null) createRoot(place).render(<AssistantAdmin baseUrl="/assistant" />);
