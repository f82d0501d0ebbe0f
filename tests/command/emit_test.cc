// SPDX-License-Identifier: BSD-3-Clause
// emit_test.cc - forms of output: one more form, YAML, is an emitter that knows no command, and no
// command knows it.
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <json-c/json.h>

extern "C" {
#include "command/emit/emit.h"
#include "command/top/model.h"
#include "command/top/object.h"
}
#include "support/sim_machine.h"

namespace
{

// ---- the form: a line for each value, indented by two blanks for each level ----

void put_value(FILE *out, json_object *o, unsigned level);

void put_entry(FILE *out, const std::string &head, json_object *o, unsigned level)
{
	fprintf(out, "%*s%s", static_cast<int>(2 * level), "", head.c_str());
	if (json_object_is_type(o, json_type_object) || json_object_is_type(o, json_type_array)) {
		fputc('\n', out);
		put_value(out, o, level + 1);
	} else {
		fprintf(out, " %s\n", json_object_to_json_string(o));
	}
}

void put_value(FILE *out, json_object *o, unsigned level)
{
	if (json_object_is_type(o, json_type_array)) {
		for (size_t i = 0; i < json_object_array_length(o); i++)
			put_entry(out, "-", json_object_array_get_idx(o, i), level);
		return;
	}
	json_object_object_foreach(o, key, value)
		put_entry(out, std::string(key) + ":", value, level);
}

void emit_yaml(const emission *to, const rows *rows)
{
	json_object *o = rows->type->object(rows->of);

	fputs("---\n", to->out);
	put_value(to->out, o, 0);
	json_object_put(o);
}

const emitter kYaml = {"yaml", nullptr, emit_yaml};

std::string printed(const emitter &form, const rows &rows, const char *separator = ",")
{
	char *text = nullptr;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);
	const emission to = {out, nullptr, separator};

	emit_heading(&form, &to, &rows);
	emit_rows(&form, &to, &rows);
	fclose(out);
	const std::string all(text, length);
	free(text);
	return all;
}

// ---- rows of the test ----

struct Port {
	const char *name;
	int64_t lines;
};

const std::vector<Port> kPorts = {{"a,b", 7}, {"c", -1}, {"d", 12}}; // -1: not counted

json_object *object(const void *)
{
	json_object *all = json_object_new_object(), *list = json_object_new_array();

	for (const Port &port : kPorts) {
		json_object *o = json_object_new_object();

		json_object_object_add(o, "port", json_object_new_string(port.name));
		json_object_object_add(
			o, "lines", port.lines < 0 ? nullptr : json_object_new_int64(port.lines));
		json_object_array_add(list, o);
	}
	json_object_object_add(all, "ports", list);
	return all;
}

bool heading(const void *, cells *cells)
{
	put_cell(cells, "port");
	put_cell(cells, "lines");
	return true;
}

bool line(const void *, size_t i, cells *cells)
{
	if (i == kPorts.size())
		return false;
	put_cell(cells, kPorts[i].name);
	put_number_cell(cells, "%lld", static_cast<long long>(kPorts[i].lines));
	return true;
}

bool sample(const void *, size_t i, metric_sample *sample)
{
	static const family other = {"other", nullptr, "Another.", FAMILY_GAUGE, 0, false};
	static const family lines = {"port_lines", nullptr, "Lines.", FAMILY_COUNTER, 0, false};

	if (i == kPorts.size())
		return false;
	sample->family = i == 1 ? &other : &lines;
	if (kPorts[i].lines < 0)
		return true;
	sample->name = strdup(sample->family->name);
	add_tag(sample, FORM_ALL, "port", kPorts[i].name);
	add_tag(sample, FORM_LINES, "type", "node");
	add_tag(sample, FORM_FAMILIES, "package", "0");
	sample->count = kPorts[i].lines;
	return true;
}

const rows_class kClass = {object, heading, line, sample, nullptr, nullptr, nullptr};
const rows kRows = {&kClass, nullptr};

TEST(Emit, AFormIsOneEmitterThatKnowsNoCommand)
{
	EXPECT_EQ("---\n"
		  "ports:\n"
		  "  -\n"
		  "    port: \"a,b\"\n"
		  "    lines: 7\n"
		  "  -\n"
		  "    port: \"c\"\n"
		  "    lines: null\n"
		  "  -\n"
		  "    port: \"d\"\n"
		  "    lines: 12\n",
		  printed(kYaml, kRows));
	EXPECT_EQ("{\"ports\":[{\"port\":\"a,b\",\"lines\":7},{\"port\":\"c\",\"lines\":null},"
		  "{\"port\":\"d\",\"lines\":12}]}\n",
		  printed(json_emitter, kRows));
}

TEST(Emit, CellsAreQuotedWhereTheSeparatorIsInThem)
{
	EXPECT_EQ("port,lines\n\"a,b\",7\nc,-1\nd,12\n", printed(csv_emitter, kRows));
	EXPECT_EQ("port;lines\na,b;7\nc;-1\nd;12\n", printed(csv_emitter, kRows, ";"));
}

// The samples of a family are together, and a family without samples has no heading.
TEST(Emit, SamplesAreLinesOrFamilies)
{
	const std::string lines = printed(influx_emitter, kRows);

	EXPECT_EQ("# HELP port_lines Lines.\n# TYPE port_lines counter\n"
		  "port_lines_total{port=\"a,b\",package=\"0\"} 7\n"
		  "port_lines_total{port=\"d\",package=\"0\"} 12\n# EOF\n",
		  printed(openmetrics_emitter, kRows));
	EXPECT_EQ("# HELP port_lines_total Lines.\n# TYPE port_lines_total counter\n"
		  "port_lines_total{port=\"a,b\",package=\"0\"} 7\n"
		  "port_lines_total{port=\"d\",package=\"0\"} 12\n",
		  printed(prometheus_emitter, kRows));
	EXPECT_EQ(0u, lines.find("port_lines,hostname="));
	EXPECT_NE(std::string::npos, lines.find(",port=a\\,b,type=node value=7i "));
	EXPECT_EQ(std::string::npos, lines.find("package"));
}

// The other form of a command's rows: all values of the JSON, in this order.
TEST(Emit, RowsOfTopAreYamlToo)
{
	const support::Handle machine{support::sim_options("sim:skx:packages=2,time=virtual")};
	top_model *model = top_model_new(machine.u, 0.02);

	ASSERT_EQ(0, top_model_start(model)) << machine.message();
	static const rows_class kTop = {top_object, nullptr, nullptr, nullptr,
					nullptr,    nullptr, nullptr};
	const rows rows = {&kTop, top_model_read(model)};
	const std::string yaml = printed(kYaml, rows), json = printed(json_emitter, rows);
	size_t at = 0;

	EXPECT_EQ(0u, yaml.find("---\nmachine: \"Intel Xeon Scalable"));
	EXPECT_NE(std::string::npos, yaml.find("\n    event: \"UNCORE_MEM_READ_BYTES\"\n"));
	EXPECT_NE(std::string::npos, yaml.find("\n        box: \"imc5\"\n"));
	json_object *all = json_tokener_parse(json.c_str()), *metrics = nullptr;
	ASSERT_TRUE(json_object_object_get_ex(all, "metrics", &metrics));
	for (size_t i = 0; i < json_object_array_length(metrics); i++) {
		json_object *event = nullptr;

		json_object_object_get_ex(json_object_array_get_idx(metrics, i), "event", &event);
		at = yaml.find(std::string("event: ") + json_object_to_json_string(event), at);
		ASSERT_NE(std::string::npos, at) << i;
	}
	json_object_put(all);
	EXPECT_EQ(0, top_model_stop(model));
	top_model_free(model);
}

} // namespace
