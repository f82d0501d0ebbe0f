// SPDX-License-Identifier: BSD-3-Clause
#include "support/lists.h"

namespace support
{

std::string list_event(const std::string &name, const Fields &more)
{
	Fields fields = {{"Unit", "CHA"},           {"EventCode", "0x7b"},
			 {"UMask", "0x01"},         {"PortMask", "0x00"},
			 {"FCMask", "0x00"},        {"UMaskExt", "0x00000000"},
			 {"EventName", name},       {"BriefDescription", "Text of " + name},
			 {"Counter", "0,1,2,3"},    {"ELLC", "0"},
			 {"Filter", "na"},          {"ExtSel", "0"},
			 {"Deprecated", "0"},       {"FILTER_VALUE", "0"},
			 {"CounterType", "PGMABLE"}};
	std::string text = "{";

	for (const auto &[field, value] : more)
		fields[field] = value;
	for (const auto &[field, value] : fields)
		if (value != "(none)")
			text += (text.size() > 1 ? ", \"" : "\"") + field + "\": \"" + value + "\"";
	return text + "}";
}

std::string list_file(const std::vector<std::string> &events, const std::string &info)
{
	std::string text =
		"{\n\"Header\": {\"Info\": \"" + info + "\", \"Legend\": \"\"},\n\"Events\": [\n";

	for (size_t i = 0; i < events.size(); i++)
		text += events[i] + (i + 1 < events.size() ? ",\n" : "\n");
	return text + "]}\n";
}

} // namespace support
